/** The states that every view has besides its content: loading, empty, error. */
import {
  Button,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
  Skeleton,
} from "@patternfly/react-core";
import CubesIcon from "@patternfly/react-icons/dist/esm/icons/cubes-icon";
import ExclamationCircleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon";
import LockIcon from "@patternfly/react-icons/dist/esm/icons/lock-icon";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import type { ComponentType, ReactNode } from "react";
import { asApiError } from "../api/errors";
import { CopyableMono } from "./Mono";

interface EmptyProps {
  title: string;
  /** What this is and what the first step would be. */
  children: ReactNode;
  action?: ReactNode;
  icon?: ComponentType;
  /** `h1` where nothing else on the page is a heading. */
  headingLevel?: "h1" | "h2" | "h3";
}

export function EmptyView(props: EmptyProps) {
  const { title, children, action, icon = CubesIcon, headingLevel = "h2" } = props;
  return (
    <EmptyState titleText={title} headingLevel={headingLevel} icon={icon} variant="sm">
      <EmptyStateBody>{children}</EmptyStateBody>
      {action !== undefined && (
        <EmptyStateFooter>
          <EmptyStateActions>{action}</EmptyStateActions>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}

/** A filter that matches nothing is a different thing from an empty list. */
export function NoMatchView({ onClear }: { onClear: () => void }) {
  return (
    <EmptyView
      title="Nothing matches these filters"
      icon={SearchIcon}
      action={
        <Button variant="link" onClick={onClear}>
          Clear all filters
        </Button>
      }
    >
      Take one of the filters away, or look for another word.
    </EmptyView>
  );
}

interface ErrorProps {
  error: unknown;
  onRetry?: () => void;
  /** What could not be done, e.g. `The hosts could not be loaded`. */
  title?: string;
}

/** What failed, the code to quote, and a way to try again. */
export function ErrorView({ error, onRetry, title = "This could not be loaded" }: ErrorProps) {
  const { code, message, requestId, status } = asApiError(error);
  const isForbidden = status === 403;
  return (
    <EmptyState
      titleText={isForbidden ? "You may not see this" : title}
      headingLevel="h2"
      status={isForbidden ? "info" : "danger"}
      icon={isForbidden ? LockIcon : ExclamationCircleIcon}
      variant="sm"
    >
      <EmptyStateBody>
        {message} If you report it, quote{" "}
        <CopyableMono text={requestId ? `${code} ${requestId}` : code} name="the error code" />.
      </EmptyStateBody>
      {onRetry !== undefined && (
        <EmptyStateFooter>
          <EmptyStateActions>
            <Button variant="primary" onClick={onRetry}>
              Try again
            </Button>
          </EmptyStateActions>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}

/** Skeleton lines that take about the room of the content to come. */
export function LoadingLines({ lines = 6, what }: { lines?: number; what: string }) {
  return (
    <div className="kr-loading" role="status" aria-label={`Loading ${what}`}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height="1.5rem" width={`${95 - ((line * 17) % 40)}%`} />
      ))}
    </div>
  );
}
