export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'console-theme'

export function storedTheme(): Theme {
  const storedTheme = localStorage.getItem(storageKey)
  return themes.find((theme) => theme === storedTheme) ?? 'system'
}

export function storeTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme)
  applyTheme(theme)
}

/** Sets the color scheme of the root element, which `light-dark()` in the style sheets follows. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
}
