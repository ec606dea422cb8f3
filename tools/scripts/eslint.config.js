// What eslint holds the panel's scripts and the emulator's to: its recommended rules.

import js from "@eslint/js";
import globals from "globals";

const WORKERS = ["**/*_worker.js"];

export default [
  { ignores: ["**/vendor/*.js"] },
  js.configs.recommended,
  { rules: { "no-unused-vars": ["error", { ignoreRestSiblings: true }] } },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  { languageOptions: { globals: globals.browser } },
  { files: ["firmware/emulator_rp2040/*.js"], languageOptions: { globals: globals.node } },
  { files: WORKERS, languageOptions: { sourceType: "script", globals: globals.serviceworker } },
];
