// Functions that run inside the page, not in Node. They get the little of the DOM that they need declared here: the project is
// compiled for Workers, whose types and those of a browser exclude each other.
interface PageElement {
  readonly parentElement: PageElement | null;
  readonly childNodes: Iterable<{ readonly nodeType: number }>;
  readonly innerText: string;
  readonly scrollWidth: number;
  readonly name?: string;
  readonly labels?: { readonly length: number } | null;
  checkVisibility(): boolean;
}
declare const document: {
  readonly body: PageElement;
  readonly documentElement: PageElement;
  querySelectorAll(selector: string): Iterable<PageElement>;
};
declare const innerWidth: number;
declare const navigator: { readonly clipboard: { readText(): Promise<string> } };
declare function getComputedStyle(element: PageElement): { readonly color: string; readonly backgroundColor: string };

export function measureWidth(): { content: number; screen: number } {
  return { content: document.documentElement.scrollWidth, screen: innerWidth };
}

export function readClipboard(): Promise<string> {
  return navigator.clipboard.readText();
}

export function unlabelledFields(): (string | undefined)[] {
  return [...document.querySelectorAll("input:not([type=hidden])")]
    .filter((input) => !input.labels?.length)
    .map((input) => input.name);
}

/** The contrast of every piece of visible text with what lies behind it, as WCAG 2.2 defines it. */
export function measureContrast(): { paper: string; contrasts: { text: string; ratio: number }[] } {
  const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element: PageElement): string => {
    for (let one: PageElement | null = element; one !== null; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      if (channels(color)[3] !== 0) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = [...document.querySelectorAll("main *")].filter(
    (element) => element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3),
  );
  return {
    paper: getComputedStyle(document.body).backgroundColor,
    contrasts: texts.map((element) => {
      const [a, b] = [luminance(getComputedStyle(element).color), luminance(behind(element))];
      return { text: element.innerText.slice(0, 60), ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
    }),
  };
}
