import axios from 'axios';
import express from 'express';

/** What tutorials show and merchants copy: Express passes the body on with axios. It checks nothing, stores nothing and logs nothing. */
const app = express();
app.use(express.json());

app.post('/pay', async (request, response) => {
  try {
    const { status, data } = await axios.post<unknown>(
      `${process.env['GATEWAY_BASE_URL'] ?? ''}/payment/card`,
      request.body,
      {
        headers: {
          'x-api-key': process.env['GATEWAY_API_KEY'],
          'access-token': process.env['GATEWAY_ACCESS_TOKEN'],
        },
      },
    );
    response.status(status).json(data);
  } catch {
    response.status(502).json({ error: true });
  }
});

app.listen(Number(process.env['PORT']), '127.0.0.1');
