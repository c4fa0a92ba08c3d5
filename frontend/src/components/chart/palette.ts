/** Colours for canvases, read from PatternFly's tokens so that charts follow the theme. */

export interface Palette {
  text: string;
  subtle: string;
  line: string;
  surface: string;
  software: string;
  accelerated: string;
  font: string;
}

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--pf-t--global--${name}`).trim();
  return {
    text: token("text--color--regular"),
    subtle: token("text--color--subtle"),
    line: token("border--color--default"),
    surface: token("background--color--primary--default"),
    software: token("icon--color--subtle"),
    accelerated: token("color--brand--default"),
    font: token("font--family--body"),
  };
}
