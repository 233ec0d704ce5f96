import { EyeOff } from 'lucide-react'
import { en } from '#contract/language.ts'
import { useWithholdPhoto } from './mutations.ts'

type Props = { photo: { postId: string; imageId: string }; authorName: string | undefined }

/** No confirmation, because hiding is urgent and can be undone. */
export function HidePhotoFromOthersButton({ photo, authorName }: Props) {
  const hide = useWithholdPhoto(photo)
  const author = authorName ?? en('its author', 'su autora')
  return (
    <button
      type="button"
      aria-busy={hide.isPending || undefined}
      onClick={() => hide.mutate(true)}
      className="flex w-full items-center gap-3 rounded-photo px-3.5 py-2.5 text-left text-danger inset-ring-[1.5px] inset-ring-danger hover:bg-danger-soft"
    >
      <EyeOff aria-hidden size={20} strokeWidth={2} className="flex-none" />
      <span>
        <span className="block font-[650]">{en('Hide this photo', 'Ocultar esta foto')}</span>
        <span className="block text-meta text-pretty text-text-2">
          {en('Hides it immediately from everyone except ', 'Se oculta al momento para todas menos ')}
          {author}
          {en(' and you. ', ' y tú. ')}
          {authorName ? en('She can crop or replace it.', 'Ella puede recortarla o reemplazarla.') : ''}
        </span>
      </span>
    </button>
  )
}
