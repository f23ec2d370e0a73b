import { signal } from '@preact/signals'
import { texts } from '../language/language.ts'
import { errorText } from './error-text.ts'

interface Toast {
  no: number
  text: string
  kind: 'done' | 'problem'
}

const shownMs = 6_000
const toastsMax = 4
const toasts = signal<readonly Toast[]>([])
let lastNo = 0

function show(text: string, kind: Toast['kind']): void {
  const no = ++lastNo
  toasts.value = [...toasts.value, { no, text, kind }].slice(-toastsMax)
  setTimeout(() => {
    toasts.value = toasts.value.filter((toast) => toast.no !== no)
  }, shownMs)
}

export function notify(text: string): void {
  show(text, 'done')
}

/** Shows the error of an action if the page has no element for it. */
export function notifyError(error: unknown): void {
  show(errorText(error, texts.value), 'problem')
}

/**
 * Short messages, which screen readers announce. They do not have the ARIA role `status`, because
 * the running task has it.
 */
export function Toasts() {
  return (
    <div class="toasts" aria-live="polite">
      {toasts.value.map(({ no, text, kind }) => (
        <p key={no} class={`toast ${kind}`}>
          {text}
        </p>
      ))}
    </div>
  )
}
