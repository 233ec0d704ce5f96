import { Eye } from 'lucide-react'
import { en } from '#contract/language.ts'
import type { PhotoOfMe } from '#contract/photo-tags/photo-tags.ts'
import { Button } from '#web/ui/button.tsx'
import { HidePhotoFromOthersButton } from './hide-photo-from-others-button.tsx'
import { useAnswerPhotoTag } from './mutations.ts'

type Props = {
  photoTag: Pick<PhotoOfMe, '$id' | 'postId' | 'imageId'>
  authorName: string | undefined
  /** The people who would see the tag, if known. */
  audience?: string | undefined
  onAnswered: () => void
}

export function PhotoTagQuestion({ photoTag, authorName, audience, onAnswered }: Props) {
  const answer = useAnswerPhotoTag(photoTag, onAnswered)
  return (
    <>
      <h2 className="heading text-[1.25rem] leading-[1.75rem] text-balance">
        {en('Is it all right to show your name here?', '¿Te parece bien que se vea aquí tu nombre?')}
      </h2>
      <p className="mt-1 text-text-2">
        {en('Until you agree, only the two of you see it.', 'Hasta que aceptes, solo lo ven ella y tú.')}
      </p>
      {audience && (
        <p className="mt-3.5 flex gap-2.5 rounded-photo bg-sunken px-3.5 py-3 text-label text-pretty">
          <Eye aria-hidden size={18} strokeWidth={2} className="mt-px flex-none text-text-2" />
          <span>{audience}</span>
        </p>
      )}
      <div className="mt-4 mb-4.5 flex flex-wrap gap-2.5 max-md:*:flex-1">
        <Button
          className="whitespace-nowrap max-[15rem]:whitespace-normal"
          busy={answer.isPending && answer.variables === 'show'}
          onClick={() => answer.mutate('show')}
        >
          {en('Show my name', 'Mostrar mi nombre')}
        </Button>
        <Button
          kind="outline"
          busy={answer.isPending && answer.variables === 'take-off'}
          onClick={() => answer.mutate('take-off')}
        >
          {en('No', 'No')}
        </Button>
      </div>
      <HidePhotoFromOthersButton photo={photoTag} authorName={authorName} />
    </>
  )
}
