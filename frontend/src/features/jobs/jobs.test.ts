import { describe, expect, it } from "vitest";
import { AES, SPEED } from "../../test/cast";
import { byMetric, cellName, formatChange, formatRatio, scaleOf } from "./figures";
import { parseNumbers, readSchema } from "./parameterSchema";
import { ratioRange } from "./ratioChart";
import { groupResult } from "./RunResult";
import { readProgress } from "./RunProgress";

describe("figures", () => {
  it("give throughput in MB/s, rates as they come", () => {
    expect(scaleOf("B/s")).toEqual({ unit: "MB/s", factor: 1e-6 });
    expect(scaleOf("ops/s").factor).toBe(1);
  });

  it("name cells by the admin's own word", () => {
    expect(cellName(AES)).toBe("aes-128-cbc, 8 KiB");
    expect(cellName({ algorithm: "rsa2048", input_bytes: null, operation: "sign" })).toBe(
      "rsa2048 sign",
    );
  });

  it("do not put different units into one chart", () =>
    expect(byMetric([AES, { ...AES, unit: "ops/s" }]).map(({ unit }) => unit)).toEqual([
      "B/s",
      "ops/s",
    ]));

  it.each([
    [5.4, "5.40"],
    [54.321, "54.3"],
    [543.2, "543"],
    [null, ""],
  ])("write ratio %s as %s", (ratio, text) => expect(formatRatio(ratio)).toBe(text));

  it.each([
    [-81.4, "−81 %"],
    [2.2, "+2 %"],
    [-0.3, "0 %"],
    [null, ""],
  ])("write change %s as %s", (change, text) => expect(formatChange(change)).toBe(text));

  it("draw ratios around 1, also where all of them gain", () =>
    expect(ratioRange([AES])).toEqual([0.5, 8]));

  it("leave room on the left where acceleration loses", () =>
    expect(ratioRange([{ ...AES, ratio: 0.3, low: 0.25, high: 0.35 }])[0]).toBeLessThanOrEqual(
      0.25,
    ));
});

describe("the parameters' schema", () => {
  it("becomes fields in its own order", () =>
    expect(readSchema(SPEED.schema).map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      "algorithms: words",
      "sizes_bytes: numbers",
      "pairs: number",
      "masks: words",
      "control: switch",
    ]));

  it("keeps bounds and fixed choices", () => {
    const [, , pairs, masks] = readSchema(SPEED.schema);
    expect(pairs).toMatchObject({ min: 5, max: 200 });
    expect(masks).toMatchObject({ options: ["aes", "sha"] });
  });

  it.each([
    ["64, 1400 8192", [64, 1400, 8192]],
    ["64, x", null],
    ["1.5", null],
    ["", []],
  ])("reads numbers typed as %s", (typed, numbers) => expect(parseNumbers(typed)).toEqual(numbers));
});

describe("what an agent says of a run", () => {
  it("is shown by groups, sentences first, without what the tables show", () => {
    const groups = groupResult({
      mask_sentence: "The mask switches off AES-NI.",
      cpu_count: 2,
      cells: { a: {} },
      openssl: { version: "3.0.22", built: null },
    });
    expect(groups).toEqual([
      { title: "Run", sentences: ["The mask switches off AES-NI."], entries: [["CPU count", "2"]] },
      { title: "OpenSSL", sentences: [], entries: [["Version", "3.0.22"]] },
    ]);
  });

  it("is no progress without numbers", () => {
    expect(readProgress({})).toBeNull();
    expect(readProgress({ done: 1, total: 0 })).toBeNull();
    expect(readProgress({ done: 3, total: 20, remaining_seconds: 17.5, doing: "sha256" })).toEqual({
      done: 3,
      total: 20,
      remaining: 17.5,
      doing: "sha256",
    });
  });
});
