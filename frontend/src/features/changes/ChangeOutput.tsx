import { Card, CardBody, CardTitle } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { changeOutputQuery } from "../../api/queries";
import type { ChangeDetail } from "../../api/types";
import { QueryView } from "../../components/QueryView";

/** What the steps' tools wrote, word for word, as it comes. */
export function ChangeOutput({ change }: { change: ChangeDetail }) {
  const output = useQuery(changeOutputQuery(change.id));
  return (
    <Card>
      <CardTitle component="h2">Output</CardTitle>
      <CardBody>
        <QueryView query={output} what="the output">
          {({ pieces }) =>
            pieces.length === 0 ? (
              "The tools have written nothing."
            ) : (
              // Scrolls by itself, so it must be reachable by keyboard.
              // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              <pre className="kr-output" tabIndex={0} aria-label="Output">
                {pieces.map((piece) => piece.text).join("")}
              </pre>
            )
          }
        </QueryView>
      </CardBody>
    </Card>
  );
}
