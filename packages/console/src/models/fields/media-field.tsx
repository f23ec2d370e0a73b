import { useId, useRef, useState } from 'preact/hooks'
import type { ParameterSchema } from '../../api/types.ts'
import { uploadAsset } from '../../assets/upload-asset.ts'
import { percent, texts } from '../../language/language.ts'
import { errorText } from '../../parts/error-text.ts'
import { Icon } from '../../parts/icon.tsx'
import { Problem } from '../../parts/problem.tsx'
import { may } from '../../session/session.ts'
import type { FieldProps } from './field-props.ts'
import { MediaItem } from './media-item.tsx'

export type MediaKind = 'image' | 'video' | 'audio'

/** Returns the kind of file that a parameter accepts. Null if it accepts no files. */
export function mediaKindOf(schema: ParameterSchema): MediaKind | null {
  const pattern = schema.pattern ?? schema.items?.pattern ?? ''
  if (!pattern.includes('asset:')) return null
  if (pattern.includes(String.raw`data:video`)) return 'video'
  return pattern.includes(String.raw`data:audio`) ? 'audio' : 'image'
}

/** Field for files that the user drops, pastes, chooses on the device, or names by URL. */
export function MediaField({ name, label, schema, isRequired, value, message, onChange }: FieldProps) {
  const t = texts.value.media
  const id = useId()
  const isList = schema.type === 'array'
  const itemsMax = isList ? (schema.maxItems ?? 10) : 1
  const items = isList ? ((value as string[] | undefined) ?? []) : typeof value === 'string' && value !== '' ? [value] : []
  const [progress, setProgress] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isDraggedOver, setDraggedOver] = useState(false)
  const fileInput = useRef<HTMLInputElement>(null)
  const addressInput = useRef<HTMLInputElement>(null)
  const kind = mediaKindOf(schema) ?? 'image'

  const mayUpload = may('tasks:write')

  const setItems = (next: readonly string[]): void => onChange(isList ? next : (next.at(-1) ?? undefined))
  const latestItems = useRef(items)
  latestItems.current = items

  async function upload(files: Iterable<File>): Promise<void> {
    if (!mayUpload) return setProblem(t.readOnly)
    setProblem(null)
    try {
      for (const file of files) {
        const asset = await uploadAsset(file, setProgress)
        latestItems.current = [...latestItems.current, `asset:${asset.id}`].slice(-itemsMax)
        setItems(latestItems.current)
      }
    } catch (error) {
      setProblem(errorText(error, texts.value))
    } finally {
      setProgress(null)
    }
  }

  function addAddress(): void {
    const text = addressInput.current?.value.trim() ?? ''
    if (text === '' || addressInput.current === null) return
    setItems([...items, text].slice(-itemsMax))
    addressInput.current.value = ''
  }

  return (
    <fieldset
      class={isDraggedOver ? 'field media-field over' : 'field media-field'}
      aria-describedby={`${id}-hint`}
      onDragOver={(event) => {
        event.preventDefault()
        setDraggedOver(true)
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDraggedOver(false)
        void upload(event.dataTransfer?.files ?? [])
      }}
      onPaste={(event) => {
        const pastedFiles = event.clipboardData?.files
        if (pastedFiles === undefined || pastedFiles.length === 0) return
        event.preventDefault()
        void upload(pastedFiles)
      }}
    >
      <legend class="field-label">
        {label}
        {isList && <span class="muted"> {t.upTo(itemsMax)}</span>}
        {!isRequired && !isList && <span class="muted"> {t.optional}</span>}
      </legend>
      {items.length > 0 && (
        <ul class="media-items">
          {items.map((item, index) => (
            <MediaItem
              key={`${index} ${item}`}
              reference={item}
              onRemove={() => setItems(items.filter((_, position) => position !== index))}
            />
          ))}
        </ul>
      )}
      {items.length < itemsMax && (
        <div class="media-add">
          {mayUpload && (
            <>
              <button type="button" class="button" disabled={progress !== null} onClick={() => fileInput.current?.click()}>
                <Icon name="upload" size={16} />
                {progress === null ? t.upload : t.uploading(percent(progress))}
              </button>
              <input
                ref={fileInput}
                type="file"
                hidden
                accept={`${kind}/*`}
                multiple={itemsMax > 1}
                onChange={({ currentTarget }) => {
                  void upload([...(currentTarget.files ?? [])])
                  currentTarget.value = ''
                }}
              />
            </>
          )}
          <input
            ref={addressInput}
            type="url"
            name={name}
            aria-label={t.addressOf(label)}
            placeholder={t.address}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              addAddress()
            }}
            onBlur={addAddress}
          />
        </div>
      )}
      <p class="hint" id={`${id}-hint`}>
        {mayUpload ? t.drop : t.readOnly}
      </p>
      <Problem text={problem ?? message} />
    </fieldset>
  )
}
