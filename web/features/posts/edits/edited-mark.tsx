import { en } from '#contract/language.ts'
import { formatFullDate } from '#web/format-time.ts'

export const EditedMark = ({ at }: { at: string | null }) =>
  at && (
    <span>
      {' · '}
      <time dateTime={at} title={formatFullDate(new Date(at))}>
        {en('Edited', 'Editada')}
      </time>
    </span>
  )
