// What eslint holds the panel's scripts to: its recommended rules.

import js from "@eslint/js";
import globals from "globals";

const WORKERS = ["**/*_worker.js"];

export default [
  { ignores: ["**/noble.js"] },
  js.configs.recommended,
  { rules: { "no-unused-vars": ["error", { ignoreRestSiblings: true }] } },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  { languageOptions: { globals: globals.browser } },
  { files: WORKERS, languageOptions: { sourceType: "script", globals: globals.serviceworker } },
];
