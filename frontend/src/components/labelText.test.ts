import { expect, it } from "vitest";
import { formatLabels, parseLabels } from "./labelText";

it("reads labels as people type them", () =>
  expect(parseLabels("env=prod, site = lab ,spare,,")).toEqual({
    env: "prod",
    site: "lab",
    spare: "",
  }));

it("keeps equals signs in values", () => expect(parseLabels("dn=CN=x")).toEqual({ dn: "CN=x" }));

it("writes them back as they were typed", () =>
  expect(formatLabels({ env: "prod", spare: "" })).toBe("env=prod, spare"));
