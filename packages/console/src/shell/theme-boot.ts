import { applyTheme, storedTheme } from './theme-choice.ts'

applyTheme(storedTheme())
