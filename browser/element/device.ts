/** Whether the payer holds a phone or a tablet, which can dial. */
export function isHandheld(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}
