import type { ComponentProps, ReactNode } from 'react'
import { es, getLanguageSet } from '#contract/language.ts'
import { LabelledFormField } from '#web/forms/labelled-form-field.tsx'
import { countProvidersByPageFlag } from '#web/navigation/page-flags.ts'

export const passwordToggleLabels = {
  show: es('Mostrar contraseña', 'Show password'),
  hide: es('Ocultar contraseña', 'Hide password'),
}

/** Other validation messages are English, so on these Spanish pages they get `lang="en"`. */
const spanish = /^(Máximo|Usa|Esta|Este|Las|Escribe) /

const isEnglish = (error = '') => getLanguageSet() === 'as-it-comes' && !spanish.test(error)

export function AuthField(props: ComponentProps<typeof LabelledFormField>) {
  return <LabelledFormField {...props} errorLang={isEnglish(props.error) ? 'en' : undefined} />
}

/** A failure with more than one sentence has its own alert role. */
export function AuthFormError({ text }: { text: ReactNode }) {
  const isSentence = typeof text === 'string'
  return (
    <>
      <div role="alert" className="text-label font-[550] text-danger empty:hidden">
        {isSentence && text}
      </div>
      {!isSentence && text}
    </>
  )
}

export function ProviderButtonPlace({ divided = false }: { divided?: boolean }) {
  const count = countProvidersByPageFlag()
  if (count === 0) return null
  return <div style={{ height: `${count * 4.375 - 1.125 + (divided ? 2.625 : 0)}rem` }} />
}

export function AuthFormIntro({ children }: { children: ReactNode }) {
  return (
    <p className="mt-2 mb-[22px] max-w-[36ch] text-pretty text-name leading-[1.5rem] text-text-2 md:mt-3 md:mb-8 md:text-lead md:leading-[1.625rem]">
      {children}
    </p>
  )
}

export function AuthFormSwitchLink({ question, children }: { question?: string; children: ReactNode }) {
  return (
    <p className="mt-2.5 text-center text-text-2 [&_a]:inline-block [&_a]:px-1 [&_a]:py-3 [&_a]:font-[680] [&_a]:text-brand-text [&_a]:underline [&_a]:decoration-[1.5px] [&_a]:underline-offset-4">
      {question} {children}
    </p>
  )
}
