import { useState } from 'react'
import { maxApplicationAnswerLength } from '#contract/community/community-limits.ts'
import { es } from '#contract/language.ts'
import { AuthField } from '#web/features/account/auth-form-parts.tsx'
import { CharacterCounter } from '#web/forms/character-counter.tsx'
import { TextInput } from '#web/forms/labelled-form-field.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import { defaultApplicationQuestion } from './default-application-question.ts'

type Props = {
  /** Null means the default question. */
  question: string | null | undefined
  errors: Partial<Record<string, string>>
  /** The texts of an application that the applicant corrects. */
  answer?: string | undefined
  voucher?: string | undefined
}

export function ApplicationFields({ question, errors, answer: sent = '', voucher }: Props) {
  const [answer, setAnswer] = useState(sent)
  return (
    <>
      <AuthField
        label={question ?? defaultApplicationQuestion}
        hint={
          errors.answer
            ? undefined
            : es(
                'Solo la leen las operadoras que deciden. Se borra después.',
                'Only the operators who decide read it. It is deleted later.',
              )
        }
        counter={<CharacterCounter length={answer.trim().length} max={maxApplicationAnswerLength} />}
        error={errors.answer}
      >
        {(control) => (
          <TextArea
            {...control}
            name="answer"
            rows={5}
            value={answer}
            onChange={({ target }) => setAnswer(target.value)}
          />
        )}
      </AuthField>
      <AuthField
        label={es('¿Quién te conoce aquí? (opcional)', 'Who knows you here? (optional)')}
        hint={
          errors.voucher
            ? undefined
            : es('Su nombre de usuaria. Le preguntaremos.', 'Her username. We will ask her.')
        }
        error={errors.voucher}
      >
        {(control) => (
          <TextInput
            {...control}
            name="voucher"
            defaultValue={voucher}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
        )}
      </AuthField>
    </>
  )
}
