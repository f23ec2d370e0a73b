import { computed, signal } from '@preact/signals'
import { en, type Texts } from './en.ts'

export const languages = { en: 'English', zh: '简体中文' } as const
export type Language = keyof typeof languages

const storageKey = 'console-language'
const loaders: Record<Language, () => Promise<Texts>> = {
  en: async () => en,
  zh: async () => (await import('./zh.ts')).zh,
}

export const language = signal<Language>('en')

/** The texts in the selected language. */
export const texts = signal<Texts>(en)

/** Returns the stored language, or the first of the browser's languages that the console has. */
export function preferredLanguage(): Language {
  const storedLanguage = localStorage.getItem(storageKey)
  if (storedLanguage === 'en' || storedLanguage === 'zh') return storedLanguage
  const preferred = navigator.languages.find((tag) => /^(?:en|zh)\b/i.test(tag))
  return preferred?.toLowerCase().startsWith('zh') === true ? 'zh' : 'en'
}

/** Switches to a language. With `isStored`, it is also the language of later visits. */
export async function chooseLanguage(chosen: Language, isStored = false): Promise<void> {
  texts.value = await loaders[chosen]()
  language.value = chosen
  document.documentElement.lang = chosen === 'zh' ? 'zh-CN' : 'en'
  if (isStored) localStorage.setItem(storageKey, chosen)
}

const locale = computed(() => (language.value === 'zh' ? 'zh-CN' : 'en'))

/**
 * Formatters of the language. They are reused, because creating one takes as long as hundreds of
 * uses.
 */
const formatters = computed(() => ({
  credits: new Intl.NumberFormat(locale.value, { maximumFractionDigits: 6, minimumFractionDigits: 2 }),
  count: new Intl.NumberFormat(locale.value),
  percent: new Intl.NumberFormat(locale.value, { style: 'percent', maximumFractionDigits: 1 }),
  time: new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'medium' }),
  relativeTime: new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' }),
}))

/** Formats an amount of credits with at most six decimals, the precision of the ledger. */
export function credits(amount: number): string {
  return (amount % 1 === 0 ? formatters.value.count : formatters.value.credits).format(amount)
}

export function count(value: number): string {
  return formatters.value.count.format(value)
}

export function percent(share: number): string {
  return formatters.value.percent.format(share)
}

/** Formats a time, in Unix seconds, as a date and time of day. */
export function exactTime(seconds: number): string {
  return formatters.value.time.format(seconds * 1000)
}

const timeUnits: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Formats a time, in Unix seconds, relative to now. */
export function relativeTime(seconds: number, nowMs = Date.now()): string {
  const secondsAhead = seconds - nowMs / 1000
  // A time that rounds to 60 minutes is an hour.
  const isAtLeast = (size: number, smallerSize: number) => Math.round(Math.abs(secondsAhead) / smallerSize) * smallerSize >= size
  const [unit, unitSeconds] = timeUnits.find(([, size], index) => isAtLeast(size, timeUnits[index + 1]?.[1] ?? 1)) ?? [
    'second',
    1,
  ]
  return formatters.value.relativeTime.format(Math.round(secondsAhead / unitSeconds), unit)
}

export function duration(seconds: number): string {
  if (seconds === 0) return '0 s'
  const milliseconds = Math.round(seconds * 1000)
  if (milliseconds < 1000) return `${milliseconds} ms`
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const wholeSeconds = Math.round(seconds)
  if (wholeSeconds < 60) return `${wholeSeconds} s`
  const minutes = Math.floor(wholeSeconds / 60)
  if (minutes < 60) return `${minutes} min ${wholeSeconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function fileSize(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const index = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return new Intl.NumberFormat(locale.value, {
    style: 'unit',
    unit: units[index] ?? 'byte',
    unitDisplay: index === 0 ? 'long' : 'short',
    maximumFractionDigits: index === 0 ? 0 : 1,
  }).format(bytes / 1000 ** index)
}
