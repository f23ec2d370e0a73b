import { useState } from 'preact/hooks'
import type { ApiKey, IssuedApiKey } from '@framegate/contract'
import { call } from '../api/call.ts'
import type { ListPage } from '../api/list.ts'
import { useLoad } from '../api/use-load.ts'
import { exactTime, texts } from '../language/language.ts'
import { allowsLess } from '../parts/allows-less.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Loading } from '../parts/loading.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { Time } from '../parts/time.tsx'
import { session } from '../session/session.ts'
import { limitsText } from './limits-text.ts'
import { keyFields, newKeyValues, valuesOfKey } from './key-fields.ts'

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'change' | 'rotate' | 'revoke'; key: ApiKey }
  | { kind: 'secret'; secret: string }
  | null

/** The keys of an account, for an operator. */
export function KeyList({ accountId }: { accountId: string }) {
  const t = texts.value
  const path = `/admin/v1/accounts/${accountId}/keys`
  const { data, error, reload } = useLoad<ListPage<ApiKey>>(path)
  const [open, setOpen] = useState<OpenDialog>(null)
  // The secret dialog replaces the form. The form's `onClose` must not close the secret dialog.
  const close = (): void => setOpen((previous) => (previous?.kind === 'secret' ? previous : null))

  async function issue(issuePath: string, body: unknown): Promise<void> {
    const { key } = await call<IssuedApiKey>('POST', issuePath, { body })
    setOpen({ kind: 'secret', secret: key })
    reload()
  }

  async function change(method: string, key: ApiKey, body?: unknown): Promise<void> {
    await call(method, `/admin/v1/keys/${key.id}`, body === undefined ? {} : { body })
    reload()
  }

  return (
    <>
      <div class="section-head">
        <button type="button" class="button primary" onClick={() => setOpen({ kind: 'create' })}>
          <Icon name="plus" size={16} />
          {t.keys.create}
        </button>
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {data === null && error === null && <Loading />}
      {data?.items.length === 0 && <p class="empty">{t.keys.empty}</p>}
      {data !== null && data.items.length > 0 && (
        <DataTable
          label={t.keys.title}
          rows={data.items}
          keyOf={({ id }) => id}
          columns={[
            {
              label: t.keys.name,
              cell: (key) => (
                <>
                  <strong>{key.name}</strong>
                  {key.id === session.value?.key.id && <span class="badge"> {t.keys.thisSession}</span>}
                  <br />
                  <code class="muted">{key.id}</code>
                </>
              ),
            },
            { label: t.keys.scopes, cell: ({ scopes }) => scopes.join(', ') },
            { label: t.keys.limits, cell: limitsText },
            { label: t.keys.lastUsed, cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : t.keys.never) },
            { label: t.keys.state, cell: (key) => <KeyState apiKey={key} /> },
            {
              label: t.keys.actions,
              isActions: true,
              cell: (key) =>
                key.revoked_at === null && (
                  <>
                    <button type="button" class="button small" onClick={() => setOpen({ kind: 'change', key })}>
                      {t.actions.edit}
                    </button>
                    <button type="button" class="button small" onClick={() => setOpen({ kind: 'rotate', key })}>
                      {t.keys.rotate}
                    </button>
                    <button type="button" class="button small" onClick={() => setOpen({ kind: 'revoke', key })}>
                      {t.keys.revoke}
                    </button>
                  </>
                ),
            },
          ]}
        />
      )}
      {open?.kind === 'create' && (
        <FormDialog
          title={t.keys.create}
          button={t.actions.create}
          fields={keyFields()}
          initial={newKeyValues}
          onSubmit={(body) => issue(path, body)}
          onClose={close}
        />
      )}
      {open?.kind === 'change' && (
        <FormDialog
          title={open.key.name}
          button={t.actions.save}
          fields={keyFields()}
          initial={valuesOfKey(open.key)}
          isChange
          questionOf={(body) =>
            Object.entries(body).some(([name, value]) => allowsLess(open.key[name as keyof ApiKey], value))
              ? t.keys.restrictQuestion(open.key.name)
              : null
          }
          onSubmit={(body) => change('PATCH', open.key, body)}
          onClose={close}
        />
      )}
      {open?.kind === 'rotate' && (
        <FormDialog
          title={t.keys.rotate}
          button={t.keys.rotate}
          lead={t.keys.rotateHint(open.key.name)}
          fields={[{ name: 'overlap_seconds', label: t.keys.overlap, kind: 'number', hint: t.keys.overlapHint }]}
          initial={{ overlap_seconds: 86_400 }}
          questionOf={({ overlap_seconds }) => (overlap_seconds === 0 ? t.keys.rotateQuestion(open.key.name) : null)}
          onSubmit={(body) => issue(`/admin/v1/keys/${open.key.id}/rotate`, body)}
          onClose={close}
        />
      )}
      {open?.kind === 'revoke' && (
        <ConfirmDialog
          title={t.keys.revoke}
          question={t.keys.revokeQuestion(open.key.name)}
          button={t.keys.revoke}
          onConfirm={() => change('DELETE', open.key)}
          onClose={close}
        />
      )}
      {open?.kind === 'secret' && <SecretDialog title={t.keys.secret} secret={open.secret} onClose={() => setOpen(null)} />}
    </>
  )
}

function KeyState({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  const t = texts.value.keys
  if (revoked_at !== null) return <span class="badge bad">{t.revoked}</span>
  if (expires_at === null) return <span class="badge good">{t.valid}</span>
  const isExpired = expires_at * 1000 < Date.now()
  return <span class={isExpired ? 'badge bad' : 'badge'}>{isExpired ? t.expired : t.validUntil(exactTime(expires_at))}</span>
}
