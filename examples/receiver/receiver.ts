import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');
const app = express();

app.post('/hooks', express.raw({ type: 'application/json' }), (request, response) => {
  let event;
  try {
    event = webhook.verify(request.body as Buffer, request.headers as Record<string, string>) as {
      id: string;
      type: string;
    };
  } catch {
    response.sendStatus(400);
    return;
  }
  // Insert event.id into a table with a unique key: a repeat changes nothing. Work on it after the answer.
  console.log(event.id, event.type);
  response.sendStatus(204);
});

app.listen(Number(process.env.PORT ?? 8000));
