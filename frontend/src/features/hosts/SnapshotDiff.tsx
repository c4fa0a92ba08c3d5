import { Label, List, ListItem, Title } from "@patternfly/react-core";
import MinusIcon from "@patternfly/react-icons/dist/esm/icons/minus-icon";
import PencilAltIcon from "@patternfly/react-icons/dist/esm/icons/pencil-alt-icon";
import PlusIcon from "@patternfly/react-icons/dist/esm/icons/plus-icon";
import { useQuery } from "@tanstack/react-query";
import { diffQuery } from "../../api/queries";
import type { SnapshotChange } from "../../api/types";
import { attributeText } from "../../components/Attributes";
import { sentenceWords, words } from "../../components/format";
import { Mono } from "../../components/Mono";
import { QueryView } from "../../components/QueryView";
import { useHost } from "./useHost";

const LOOKS = {
  added: { color: "green", icon: <PlusIcon /> },
  removed: { color: "red", icon: <MinusIcon /> },
  changed: { color: "blue", icon: <PencilAltIcon /> },
} as const;

export function SnapshotDiff({ from, to }: { from: string; to: string }) {
  const host = useHost();
  const diff = useQuery(diffQuery(host.id, from, to));
  return (
    <QueryView query={diff} what="the differences">
      {({ changes }) =>
        changes.length === 0 ? (
          <>These two are the same.</>
        ) : (
          [...Map.groupBy(changes, ({ section }) => section)].map(([section, entries]) => (
            <section key={section}>
              <Title headingLevel="h3" size="md">
                {sentenceWords(section)} ({entries.length})
              </Title>
              <List isPlain>
                {entries.map((change) => (
                  <ListItem key={`${change.key} ${change.change}`}>
                    <Change change={change} />
                  </ListItem>
                ))}
              </List>
            </section>
          ))
        )
      }
    </QueryView>
  );
}

function Change({ change }: { change: SnapshotChange }) {
  const look = LOOKS[change.change];
  return (
    <>
      <Label isCompact color={look.color} icon={look.icon}>
        {change.change}
      </Label>{" "}
      <Mono>{change.name || change.key}</Mono>
      {change.change === "changed" &&
        change.fields.map(({ path, before, after }) => (
          <div key={path} className="kr-indent">
            <span className="kr-subtle">{words(path)}:</span>{" "}
            <Mono>
              {attributeText(before)} → {attributeText(after)}
            </Mono>
          </div>
        ))}
    </>
  );
}
