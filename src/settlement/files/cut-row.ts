/**
 * Whether the last cell of a file that ends without the end of a line was cut, going by the cell above it: a time of another form,
 * an amount with other decimals, half of a word that the profile lists. Many programs leave the last line's end out, so that
 * alone says nothing. Pure.
 */
export function looksCut(column: string, cell: string, above: string, words: readonly string[]): boolean {
  switch (column) {
    case 'settledAt':
      return form(cell) !== form(above);
    case 'amount':
    case 'fee':
      return decimals(cell) !== decimals(above);
    case 'type':
    case 'status': {
      const upper = cell.toUpperCase();
      return !words.includes(upper) && words.some((word) => word.startsWith(upper));
    }
    case 'currency':
      return cell.length < above.length;
    default:
      return false;
  }
}

const form = (text: string): string => text.replace(/[0-9]/g, '9');

function decimals(text: string): number {
  const point = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  return point < 0 ? 0 : text.length - point;
}
