import { CodeBlock, CodeBlockCode } from "@patternfly/react-core";
import type { ChangeStep, StepResult } from "../../api/types";
import { CopyableMono, Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { changedParts, typed } from "./parts";

interface Props {
  step: ChangeStep;
  number: number;
  progress: StepResult | undefined;
}

/** One step: what it does, the exact command or file, before and after, how it is undone. */
export function StepView({ step, number, progress }: Props) {
  return (
    <div>
      <p>
        <strong>
          {number + 1}. {step.title}
        </strong>{" "}
        {progress !== undefined && <StateLabel state={progress.state} />}
        {progress?.exit_code != null && (
          <span className="kr-subtle"> exit code {progress.exit_code}</span>
        )}
      </p>
      {step.argv.length > 0 && <CopyableMono text={typed(step.argv)} name="the command" />}
      {step.edit !== null && <EditView edit={step.edit} />}
      {changedParts(step.before, step.after).map(({ part, before, after }) => (
        <div key={part}>
          <Mono>{part}</Mono>: {before} → {after}
        </div>
      ))}
      <div className="kr-subtle">
        {step.undo_argv.length > 0 ? (
          <>
            Undone by <Mono>{typed(step.undo_argv)}</Mono>
          </>
        ) : (
          step.undo_reason || (step.edit !== null && "Undone by putting the file back")
        )}
      </div>
      {progress !== undefined && progress.message !== "" && <p>{progress.message}</p>}
    </div>
  );
}

function EditView({ edit }: { edit: NonNullable<ChangeStep["edit"]> }) {
  const before = (edit.before ?? "").split("\n");
  const after = (edit.after ?? "").split("\n");
  const gone = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`);
  const come = after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
  return (
    <>
      <Mono>{edit.path}</Mono>
      <CodeBlock>
        <CodeBlockCode>{[...gone, ...come].join("\n")}</CodeBlockCode>
      </CodeBlock>
    </>
  );
}
