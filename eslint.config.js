import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  { ignores: ["**/.venv/", "**/vendor/", "build/", "dist/", "runs/", "site/"] },
  { files: ["**/static/**", "docs/_static/**"], languageOptions: { globals: globals.browser } },
  {
    files: ["docs/_static/play/**"],
    languageOptions: {
      sourceType: "script",
      globals: { ...globals.browser, ...globals.serviceworker, importScripts: "readonly" },
    },
  },
  { files: ["tests/**"], languageOptions: { globals: globals.node } },
  { rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error" } },
];
