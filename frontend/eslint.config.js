import js from "@eslint/js";
import globals from "globals";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** Conventions that a linter can check are checked here rather than told. */
const queryKeysOnlyInQueries = {
  selector: "Property[key.name='queryKey'] > ArrayExpression",
  message: "Query keys are written in src/api/queries.ts only.",
};
const noRawFetch = {
  selector: "CallExpression[callee.name='fetch']",
  message: "Go through src/api/client.ts, which knows the generated schema, CSRF and errors.",
};

export default tseslint.config(
  { ignores: ["dist", "coverage", "src/api/schema.d.ts", "public/theme.js"] },
  js.configs.recommended,
  {
    files: ["src/**/*.{ts,tsx}", "vite.config.ts"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true }, globals: globals.browser },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unnecessary-condition": "error",
      "no-restricted-syntax": ["error", noRawFetch],
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ["src/**/*.tsx"],
    extends: [reactHooks.configs.flat["recommended-latest"], jsxA11y.flatConfigs.recommended],
  },
  {
    files: ["src/{app,components,features}/**/*.{ts,tsx}"],
    rules: { "no-restricted-syntax": ["error", queryKeysOnlyInQueries, noRawFetch] },
  },
  {
    files: ["src/**/*.test.{ts,tsx}", "src/test/**"],
    rules: { "max-lines-per-function": "off" },
  },
  { files: ["*.js", "scripts/**/*.js"], languageOptions: { globals: globals.node } },
);
