/** JSON: the languages besides English, by their tags: where each is below `/kit`, and its hash. Filled in by the build. */
declare const LANGUAGES: string;
