import { texts } from '../language/language.ts'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'

/** Dialog with a secret that the service returns only once. */
export function SecretDialog({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{texts.value.keys.onlyOnce}</p>
      <pre class="code-block secret">
        <code>{secret}</code>
      </pre>
      <div class="dialog-actions">
        <CopyButton text={secret} />
        <button type="button" class="button primary" onClick={onClose}>
          {texts.value.actions.close}
        </button>
      </div>
    </Dialog>
  )
}
