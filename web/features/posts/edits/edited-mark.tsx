import { en } from '#contract/language.ts'
import { formatDateAndTime } from '#web/format-time.ts'

export const EditedMark = ({ at }: { at: string | null }) =>
  at && (
    <span>
      {' · '}
      <time dateTime={at} title={formatDateAndTime(new Date(at))}>
        {en('Edited', 'Editada')}
      </time>
    </span>
  )
