/** Says what went wrong with what the user has entered or started. Null shows nothing. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <p class="field-error" role="alert">
      {text}
    </p>
  )
}
