/**
 * Loaded before the service (`node --import`). Each SIGUSR2 makes an error that nothing catches, in the way that `UNCAUGHT` says. It quotes a
 * card number, as a careless library would.
 */
const error = () => Object.assign(new Error('card 4111 1111 1111 1111 failed'), { code: 'E_CARELESS' });
process.on('SIGUSR2', () => {
  if (process.env.UNCAUGHT === 'rejected') void Promise.reject(error());
  else if (process.env.UNCAUGHT === 'text') throw 'card 4111111111111111';
  else throw error();
});
