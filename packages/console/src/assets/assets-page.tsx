import { useRef, useState } from 'preact/hooks'
import type { Asset } from '../api/types.ts'
import { call } from '../api/call.ts'
import { usePages } from '../api/use-pages.ts'
import { percent, texts } from '../language/language.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageList } from '../parts/page-list.tsx'
import { notify, notifyError } from '../parts/toasts.tsx'
import { may } from '../session/session.ts'
import { Page } from '../shell/page.tsx'
import { AssetCard } from './asset-card.tsx'
import { uploadAsset } from './upload-asset.ts'

/** Page with the account's uploaded files. */
export function AssetsPage() {
  const t = texts.value
  const pages = usePages<Asset>('/v2/assets')
  const mayWrite = may('tasks:write')
  const fileInput = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [isImportOpen, setImportOpen] = useState(false)
  const [assetToDelete, setAssetToDelete] = useState<Asset | null>(null)

  async function upload(files: Iterable<File>): Promise<void> {
    if (!mayWrite) return notify(t.assets.readOnly)
    try {
      for (const file of files) await uploadAsset(file, setProgress)
    } catch (error) {
      notifyError(error)
    } finally {
      setProgress(null)
      pages.refresh()
    }
  }

  return (
    <Page
      title={t.assets.title}
      lead={mayWrite ? t.assets.lead : t.assets.readOnly}
      actions={
        mayWrite && (
          <>
            <button type="button" class="button" onClick={() => setImportOpen(true)}>
              {t.assets.import}
            </button>
            <button type="button" class="button primary" disabled={progress !== null} onClick={() => fileInput.current?.click()}>
              <Icon name="upload" size={16} />
              {progress === null ? t.media.upload : t.media.uploading(percent(progress))}
            </button>
            <input
              ref={fileInput}
              type="file"
              hidden
              multiple
              onChange={({ currentTarget }) => {
                void upload([...(currentTarget.files ?? [])])
                currentTarget.value = ''
              }}
            />
          </>
        )
      }
    >
      <div
        class="drop-area"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          void upload(event.dataTransfer?.files ?? [])
        }}
      >
        <PageList pages={pages} empty={mayWrite ? t.assets.empty : t.assets.none}>
          <ul class="asset-grid">
            {pages.items.map((asset) => (
              <AssetCard key={asset.id} asset={asset} onDelete={mayWrite ? () => setAssetToDelete(asset) : null} />
            ))}
          </ul>
        </PageList>
      </div>
      {isImportOpen && (
        <FormDialog
          title={t.assets.import}
          button={t.assets.import}
          fields={[{ name: 'url', label: t.assets.address, kind: 'url', isRequired: true, placeholder: 'https://' }]}
          onSubmit={async (body) => {
            await call('POST', '/v2/assets/import', { body })
            pages.refresh()
          }}
          onClose={() => setImportOpen(false)}
        />
      )}
      {assetToDelete !== null && (
        <ConfirmDialog
          title={t.actions.delete}
          question={t.assets.deleteQuestion(assetToDelete.name ?? assetToDelete.id)}
          button={t.actions.delete}
          onConfirm={async () => {
            await call('DELETE', `/v2/assets/${assetToDelete.id}`)
            pages.change((items) => items.filter(({ id }) => id !== assetToDelete.id))
          }}
          onClose={() => setAssetToDelete(null)}
        />
      )}
    </Page>
  )
}
