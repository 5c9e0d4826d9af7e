import { h } from '../element/dom.js';
import { clearError, showError } from './refused.js';
import { saveFile } from './save-file.js';

/** A button that gives a file to the browser's downloads. What is refused is shown in `error`. */
export function downloadButton(
  label: string,
  name: string,
  { load, error }: { load: () => Promise<Blob>; error: HTMLElement },
): HTMLElement {
  const download = async (): Promise<void> => {
    clearError(error);
    try {
      saveFile(await load(), name);
    } catch (problem) {
      showError(error, problem);
    }
  };
  return h('button', { type: 'button', onclick: () => void download() }, label);
}
