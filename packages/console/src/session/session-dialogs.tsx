import { signal } from '@preact/signals'
import { setSessionHandlers } from '../api/call.ts'
import { texts } from '../language/language.ts'
import { Dialog } from '../parts/dialog.tsx'
import { KeyForm } from './key-form.tsx'
import { confirmKey, refreshSession, session, signIn } from './session.ts'

/** A dialog that asks for the key. Several requests may wait for its promise. */
interface KeyQuestion {
  kind: 'signIn' | 'confirm'
  promise: Promise<void>
  resolve: () => void
  reject: (error: Error) => void
}

const question = signal<KeyQuestion | null>(null)

/** Opens a dialog that asks for the key, or returns the promise of the open one. */
function ask(kind: KeyQuestion['kind']): Promise<void> {
  if (question.value?.kind === kind) return question.value.promise
  question.value?.resolve()
  const dialog = { kind, ...Promise.withResolvers<void>() }
  question.value = dialog
  return dialog.promise
}

setSessionHandlers({
  signInAgain: () => {
    // The sign-in page asks for the key itself.
    if (session.value === null) return Promise.reject(new Error(texts.value.signIn.ended))
    return ask('signIn')
  },
  confirmKey: () => ask('confirm'),
  onScopeMissing: () => void refreshSession().catch(() => undefined),
})

/** The dialog that asks for the key, if one is open. The page below keeps its input. */
export function SessionDialogs() {
  const dialog = question.value
  if (dialog === null) return null
  const t = texts.value.signIn
  const isSignIn = dialog.kind === 'signIn'
  const submitKey = async (key: string): Promise<void> => {
    await (isSignIn ? signIn({ key }) : confirmKey(key))
    question.value = null
    dialog.resolve()
  }
  return (
    <Dialog
      title={isSignIn ? t.again : t.confirm}
      onClose={() => {
        question.value = null
        dialog.reject(new Error(t.cancelled))
      }}
    >
      <p>{isSignIn ? t.againHint : t.confirmHint}</p>
      <KeyForm button={isSignIn ? t.button : t.confirmButton} onKey={submitKey} />
    </Dialog>
  )
}
