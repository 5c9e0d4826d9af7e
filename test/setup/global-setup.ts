import { startServices, type Services } from './services.ts';

declare global {
  var tillfrontTestServices: Services | undefined;
}

export default async function setup(): Promise<void> {
  globalThis.tillfrontTestServices = await startServices();
}
