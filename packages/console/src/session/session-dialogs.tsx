import { signal } from '@preact/signals'
import { setGatekeeper } from '../api/call.ts'
import { texts } from '../language/language.ts'
import { Dialog } from '../parts/dialog.tsx'
import { KeyForm } from './key-form.tsx'
import { confirmKey, session, signIn } from './session.ts'

/** A request that waits for the user to enter the key. Several requests may wait for one answer. */
interface Question {
  kind: 'signIn' | 'confirm'
  promise: Promise<void>
  resolve: () => void
  reject: (error: Error) => void
}

const question = signal<Question | null>(null)

function ask(kind: Question['kind']): Promise<void> {
  if (question.value?.kind === kind) return question.value.promise
  question.value?.resolve()
  const asked = { kind, ...Promise.withResolvers<void>() }
  question.value = asked
  return asked.promise
}

setGatekeeper({
  signInAgain: () => {
    // On the sign-in page there is nothing to keep.
    if (session.value === null) return Promise.reject(new Error(texts.value.signIn.ended))
    return ask('signIn')
  },
  confirmKey: () => ask('confirm'),
})

/** Asks for the key above the page, so that nothing typed is lost. */
export function SessionDialogs() {
  const asked = question.value
  if (asked === null) return null
  const t = texts.value.signIn
  const isSignIn = asked.kind === 'signIn'
  const finish = async (key: string): Promise<void> => {
    await (isSignIn ? signIn({ key }) : confirmKey(key))
    question.value = null
    asked.resolve()
  }
  return (
    <Dialog
      title={isSignIn ? t.again : t.confirm}
      onClose={() => {
        question.value = null
        asked.reject(new Error(t.cancelled))
      }}
    >
      <p>{isSignIn ? t.againHint : t.confirmHint}</p>
      <KeyForm button={isSignIn ? t.button : t.confirmButton} onKey={finish} />
    </Dialog>
  )
}
