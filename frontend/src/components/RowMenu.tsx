import {
  Dropdown,
  DropdownItem,
  DropdownList,
  MenuToggle,
  type MenuToggleElement,
} from "@patternfly/react-core";
import EllipsisVIcon from "@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon";
import { type Ref, useState } from "react";

export interface RowAction {
  title: string;
  onClick: () => void;
  isDanger?: boolean;
}

/** What can be done to one row of a list; the dangerous last. */
export function RowMenu({ label, actions }: { label: string; actions: RowAction[] }) {
  const [isOpen, setIsOpen] = useState(false);
  if (actions.length === 0) return null;
  const toggle = (ref: Ref<MenuToggleElement>) => (
    <MenuToggle
      ref={ref}
      variant="plain"
      icon={<EllipsisVIcon />}
      aria-label={label}
      isExpanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
    />
  );
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      onSelect={() => setIsOpen(false)}
      toggle={toggle}
      popperProps={{ position: "end" }}
    >
      <DropdownList>
        {actions.map(({ title, onClick, isDanger }) => (
          <DropdownItem key={title} onClick={onClick} isDanger={isDanger}>
            {title}
          </DropdownItem>
        ))}
      </DropdownList>
    </Dropdown>
  );
}
