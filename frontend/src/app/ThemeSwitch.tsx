import {
  MenuToggle,
  type MenuToggleElement,
  Select,
  SelectList,
  SelectOption,
} from "@patternfly/react-core";
import AdjustIcon from "@patternfly/react-icons/dist/esm/icons/adjust-icon";
import MoonIcon from "@patternfly/react-icons/dist/esm/icons/moon-icon";
import SunIcon from "@patternfly/react-icons/dist/esm/icons/sun-icon";
import { useMutation } from "@tanstack/react-query";
import { type Ref, useEffect, useState } from "react";
import { themeSet } from "../api/mutations";
import { keys } from "../api/queries";
import { queryClient } from "./queryClient";
import { useMe } from "./session";
import { chooseTheme, type ThemeChoice, useThemeChoice } from "./theme";

const THEMES: { choice: ThemeChoice; label: string; Icon: typeof SunIcon }[] = [
  { choice: "system", label: "As the system", Icon: AdjustIcon },
  { choice: "light", label: "Light", Icon: SunIcon },
  { choice: "dark", label: "Dark", Icon: MoonIcon },
];

/** The choice goes with the user from browser to browser. Kept here too, for the next first paint. */
function useKeptTheme() {
  const { theme } = useMe();
  useEffect(() => chooseTheme(theme), [theme]);
  return useMutation({
    mutationFn: themeSet,
    onSuccess: (me) => queryClient.setQueryData(keys.me, me),
  });
}

export function ThemeSwitch() {
  const choice = useThemeChoice();
  const [isOpen, setIsOpen] = useState(false);
  const keep = useKeptTheme();
  const shown = THEMES.find((theme) => theme.choice === choice) ?? THEMES[0];
  const toggle = (ref: Ref<MenuToggleElement>) => (
    <MenuToggle
      ref={ref}
      variant="plain"
      icon={shown && <shown.Icon />}
      isExpanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
      aria-label={`Theme: ${shown?.label.toLowerCase() ?? choice}`}
    />
  );
  return (
    <Select
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      selected={choice}
      onSelect={(_event, picked) => {
        chooseTheme(picked as ThemeChoice);
        keep.mutate(picked as ThemeChoice);
        setIsOpen(false);
      }}
      toggle={toggle}
      popperProps={{ position: "end" }}
      shouldFocusToggleOnSelect
    >
      <SelectList aria-label="Theme">
        {THEMES.map(({ choice: value, label, Icon }) => (
          <SelectOption key={value} value={value} icon={<Icon />}>
            {label}
          </SelectOption>
        ))}
      </SelectList>
    </Select>
  );
}
