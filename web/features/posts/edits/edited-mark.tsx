import { en } from '#contract/language.ts'
import { formatFullDate } from '#web/format-time.ts'

/** Says beside a post's time that it was edited, with when as its title; nothing of one that was not. */
export const EditedMark = ({ at }: { at: string | null }) =>
  at && (
    <span>
      {' · '}
      <time dateTime={at} title={formatFullDate(new Date(at))}>
        {en('Edited', 'Editada')}
      </time>
    </span>
  )
