import {
  Dropdown,
  DropdownGroup,
  DropdownItem,
  DropdownList,
  MenuToggle,
  type MenuToggleElement,
} from "@patternfly/react-core";
import UserIcon from "@patternfly/react-icons/dist/esm/icons/user-icon";
import { useMutation } from "@tanstack/react-query";
import { lazy, type Ref, Suspense, useState } from "react";
import { useNavigate } from "react-router";
import { logout } from "../api/mutations";
import { words } from "../components/format";
import { queryClient } from "./queryClient";
import { useMe } from "./session";

const PasswordDialog = lazy(async () => ({
  default: (await import("../features/account/PasswordDialog")).PasswordDialog,
}));

export function UserMenu() {
  const me = useMe();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const [isChanging, setIsChanging] = useState(false);
  const leave = useMutation({
    mutationFn: logout,
    onSuccess: async () => {
      await navigate("/login", { replace: true });
      queryClient.clear();
    },
  });
  const toggle = (ref: Ref<MenuToggleElement>) => (
    <MenuToggle
      ref={ref}
      variant="plainText"
      icon={<UserIcon />}
      isExpanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
      aria-label={`User ${me.username}`}
    >
      <span className="kr-wide-only">{me.username}</span>
    </MenuToggle>
  );
  return (
    <>
      <Dropdown
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        onSelect={() => setIsOpen(false)}
        toggle={toggle}
        popperProps={{ position: "end" }}
      >
        <DropdownGroup label={`${me.username}, ${words(me.role)}`} labelHeadingLevel="h2">
          <DropdownList>
            <DropdownItem to="/api/v1/docs/" isExternalLink>
              API documentation
            </DropdownItem>
            <DropdownItem onClick={() => setIsChanging(true)}>Change password</DropdownItem>
            <DropdownItem onClick={() => leave.mutate()} isDisabled={leave.isPending}>
              Log out
            </DropdownItem>
          </DropdownList>
        </DropdownGroup>
      </Dropdown>
      {isChanging && (
        <Suspense>
          <PasswordDialog onClose={() => setIsChanging(false)} />
        </Suspense>
      )}
    </>
  );
}
