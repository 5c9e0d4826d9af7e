import { Worker } from 'node:worker_threads';

/**
 * Loaded before the service (`node --import`). Each SIGUSR2 makes an error that nothing catches, in the way that `UNCAUGHT` says. It quotes a
 * card number, as a careless library would. `thread`: the
 * thread that writes the embedded store ends.
 */
const error = () => Object.assign(new Error('card 4111 1111 1111 1111 failed'), { code: 'E_CARELESS' });
let writer;
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  writer = this;
  return post.call(this, message, ...rest);
};
process.on('SIGUSR2', () => {
  if (process.env.UNCAUGHT === 'thread') void writer.terminate();
  else if (process.env.UNCAUGHT === 'rejected') void Promise.reject(error());
  else if (process.env.UNCAUGHT === 'text') throw 'card 4111111111111111';
  else throw error();
});
