/** JSON: the languages besides English, by their tags: where each is below `/kit`, and its hash. Filled in by the build. */
declare const LANGUAGES: string;

/** A stylesheet as text, minified by the build. */
declare module '*.css' {
  const text: string;
  export default text;
}
