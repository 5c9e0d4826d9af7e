/** The languages besides English, by their tags: where each is below `/kit`, and its hash. Filled in by the build. */
declare const LANGUAGES: Readonly<Record<string, { path: string; integrity: string }>>;

/** A stylesheet as text, minified by the build. */
declare module '*.css' {
  const text: string;
  export default text;
}
