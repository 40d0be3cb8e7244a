import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  { ignores: ["**/.venv/", "**/vendor/", "build/"] },
  { files: ["**/static/**"], languageOptions: { globals: globals.browser } },
  { files: ["tests/**"], languageOptions: { globals: globals.node } },
  { rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error" } },
];
