import { Popper, SearchInput } from "@patternfly/react-core";
import { type KeyboardEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { SEARCH_MIN_LENGTH } from "../../api/queries";
import { SearchMenu } from "./SearchResults";
import { useDelayed } from "./useDelayed";
import { useSlashKey } from "./useSlashKey";

/** Finds hosts, units, tokens, certificates … by the admin's own words. "/" puts the cursor here. */
export function GlobalSearch() {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const wanted = useDelayed(text.trim());
  useSlashKey(() => input.current?.focus());

  const leave = (to: string) => {
    setIsOpen(false);
    setText("");
    void navigate(to);
  };
  const type = (value: string) => {
    setText(value);
    setIsOpen(value.trim() !== "");
  };
  const onMenuKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" && event.key !== "Tab") return;
    setIsOpen(false);
    input.current?.focus();
  };
  return (
    <Popper
      trigger={
        <SearchInput
          ref={input}
          aria-label="Search everything"
          placeholder="Host, unit, token, certificate …"
          value={text}
          onChange={(_event, value) => type(value)}
          onClear={() => type("")}
          onFocus={() => setIsOpen(text.trim() !== "")}
          onKeyDown={(event) => {
            if (event.key === "Escape") setIsOpen(false);
            if (event.key === "ArrowDown") focusFirst(menu.current, event);
            if (event.key === "Enter" && text.trim() !== "") {
              leave(`/search?q=${encodeURIComponent(text.trim())}`);
            }
          }}
        />
      }
      popper={<SearchMenu ref={menu} text={wanted} onGo={leave} onKeyDown={onMenuKey} />}
      popperRef={menu}
      isVisible={isOpen && wanted.length >= SEARCH_MIN_LENGTH}
      onDocumentClick={(event) => {
        if (isOutside(event?.target, menu.current, input.current)) setIsOpen(false);
      }}
      minWidth="trigger"
    />
  );
}

function focusFirst(menu: HTMLElement | null, event: KeyboardEvent): void {
  event.preventDefault();
  menu?.querySelector<HTMLElement>("button, a")?.focus();
}

function isOutside(at: EventTarget | null | undefined, ...parts: (HTMLElement | null)[]): boolean {
  return at instanceof Node && !parts.some((part) => part?.contains(at));
}
