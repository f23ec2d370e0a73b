export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'console-theme'

export function storedTheme(): Theme {
  const storedName = localStorage.getItem(storageKey)
  return themes.find((theme) => theme === storedName) ?? 'system'
}

export function storeTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme)
  applyTheme(theme)
}

/** Sets the theme of the page. The style sheets derive the color scheme from the attribute. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
}
