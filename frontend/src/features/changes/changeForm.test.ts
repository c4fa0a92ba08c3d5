import { describe, expect, it } from "vitest";
import { readFields, readTyped } from "./changeForm";

const SCHEMA = {
  required: ["provider"],
  properties: {
    provider: { title: "Provider", type: "string" },
    counts: { type: "object", additionalProperties: { type: "integer", minimum: 0, maximum: 9 } },
    units: { type: "object", additionalProperties: { type: "string" } },
    disable: { type: "array", items: { type: "string" } },
    force: { type: "boolean", default: false },
    migrate: { type: "boolean" },
    random: { type: "string", enum: ["enable", "disable"] },
    settings: {
      type: "object",
      required: ["n2cp-sync-threads"],
      properties: { "n2cp-sync-threads": { type: ["integer", "null"], minimum: 1 } },
    },
  },
};
const fields = readFields(SCHEMA);

describe("fields of a change's parameters", () => {
  it("come from the schema, in its order", () => {
    expect(fields.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      "provider text",
      "counts numbersByName",
      "units textsByName",
      "disable words",
      "force switch",
      "migrate choice",
      "random choice",
      "settings.n2cp-sync-threads number",
    ]);
  });

  it("leave out what was not touched, and put together what was typed", () => {
    const typed = {
      provider: " ncp/0 ",
      counts: "primary=1, ldg1 = 2",
      units: "card1=ldg1,card2=",
      disable: "CKM_A,  CKM_B",
      force: "true",
      migrate: "false",
      "settings.n2cp-sync-threads": "8",
    };
    expect(readTyped(fields, typed)).toEqual({
      parameters: {
        provider: "ncp/0",
        counts: { primary: 1, ldg1: 2 },
        units: { card1: "ldg1", card2: "" },
        disable: ["CKM_A", "CKM_B"],
        force: true,
        migrate: false,
        settings: { "n2cp-sync-threads": 8 },
      },
      problems: {},
    });
  });

  it("say what is wrong, and where", () => {
    const { problems } = readTyped(fields, {
      counts: "primary",
      "settings.n2cp-sync-threads": "x",
    });
    expect(problems).toEqual({
      provider: "Needed.",
      counts: "“primary” is not name=value.",
      "settings.n2cp-sync-threads": "A whole number.",
    });
    expect(readTyped(fields, { counts: "primary=99" }).problems["counts"]).toContain("primary=99");
  });

  it("give null for a number that is needed and left empty: without the setting", () => {
    expect(readTyped(fields, {}).parameters).toEqual({ settings: { "n2cp-sync-threads": null } });
  });
});
