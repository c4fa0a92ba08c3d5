import {
  Button,
  Card,
  CardBody,
  CardExpandableContent,
  CardHeader,
  CardTitle,
} from "@patternfly/react-core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { outputQuery } from "../../api/queries";
import type { RunSummary } from "../../api/types";
import { QueryView } from "../../components/QueryView";

/** What the programs printed, word for word. Read only when somebody looks. */
export function RawOutput({ run }: { run: RunSummary }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card isExpanded={isOpen}>
      <CardHeader
        onExpand={() => setIsOpen(!isOpen)}
        toggleButtonProps={{
          id: "raw-toggle",
          "aria-label": "Raw output",
          "aria-labelledby": "raw-title raw-toggle",
          "aria-expanded": isOpen,
        }}
      >
        <CardTitle id="raw-title" component="h2">
          Raw output
        </CardTitle>
      </CardHeader>
      <CardExpandableContent>
        <CardBody>{isOpen && <Output run={run} />}</CardBody>
      </CardExpandableContent>
    </Card>
  );
}

function Output({ run }: { run: RunSummary }) {
  const output = useInfiniteQuery(outputQuery(run.id));
  return (
    <QueryView query={output} what="the output">
      {({ pages }) => {
        const text = pages.flatMap(({ chunks }) => chunks.map((chunk) => chunk.text)).join("");
        if (pages.at(-1)?.is_pruned) return "It was kept for a while and has been deleted.";
        if (text === "") return "Nothing has been printed yet.";
        return (
          <>
            {/* Scrolls by itself, so it must be reachable by keyboard. */}
            {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <pre className="kr-output" tabIndex={0} aria-label="Raw output">
              {text}
            </pre>
            {output.hasNextPage && (
              <Button
                variant="link"
                isLoading={output.isFetchingNextPage}
                onClick={() => void output.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </>
        );
      }}
    </QueryView>
  );
}
