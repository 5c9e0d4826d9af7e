/** Something that is known of a store as a whole. */
export interface MetaRecord {
  name: string;
  value: string;
}
