/** The colour scheme: follows the system unless a person chose. public/theme.js applies it before the first paint. */
import { useSyncExternalStore } from "react";

export type ThemeChoice = "system" | "light" | "dark";

const STORAGE_KEY = "keyrack.theme";
const DARK_CLASS = "pf-v6-theme-dark";
const listeners = new Set<() => void>();
const systemDark = () => window.matchMedia("(prefers-color-scheme: dark)");

function storedChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system"; // storage may be forbidden; the page then follows the system
  }
}

let choice: ThemeChoice = storedChoice();

function isDark(): boolean {
  return choice === "dark" || (choice === "system" && systemDark().matches);
}

function apply(): void {
  document.documentElement.classList.toggle(DARK_CLASS, isDark());
  listeners.forEach((listener) => listener());
}

/** Set and remember the scheme for this browser. */
export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  try {
    localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // Not remembered, still applied.
  }
  apply();
}

function subscribe(listener: () => void): () => void {
  const media = systemDark();
  listeners.add(listener);
  media.addEventListener("change", apply);
  return () => {
    listeners.delete(listener);
    media.removeEventListener("change", apply);
  };
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice);
}

/** Whether the page is dark now; charts draw on canvas and must be told. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, isDark);
}
