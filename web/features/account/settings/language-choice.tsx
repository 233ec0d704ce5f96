import { useMutation } from '@tanstack/react-query'
import { setLanguageEndpoint } from '#contract/generated-endpoints.ts'
import { en, getLanguageSet, type LanguageSet, languageNames, languageSets } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { getErrorMessage } from '#web/api/error-message.ts'
import { RadioOption } from '#web/forms/radio-option.tsx'

const descriptions: Record<LanguageSet, string> = {
  'as-it-comes': en(
    'Signing in is in Spanish, the rest in English',
    'Entrar y crear cuenta en español, lo demás en inglés',
  ),
  es: 'En femenino: bienvenida, administradora, todas',
  en: 'Everything in English',
  pt: 'O que ainda não tem tradução aparece em espanhol',
}

/** The choice applies to every device and reloads the page. */
export function LanguageChoice() {
  const choice = useMutation({
    mutationFn: (language: LanguageSet) => callApiOperation(setLanguageEndpoint, { language }),
    onSuccess: () => location.reload(),
  })
  const shown = choice.isPending || choice.isSuccess ? choice.variables : getLanguageSet()
  return (
    <fieldset className="card mb-4 px-4 pt-4 pb-2.5 md:px-5">
      <legend className="heading float-left text-lead">{en('Language', 'Idioma')}</legend>
      <div className="clear-left divide-y divide-border pt-1">
        {languageSets.map((set) => (
          <div key={set} lang={set === 'as-it-comes' ? undefined : set}>
            <RadioOption
              name="language"
              label={set === 'as-it-comes' ? en('Default', 'Predeterminado') : languageNames[set]}
              text={descriptions[set]}
              checked={set === shown}
              onChoose={() => choice.mutate(set)}
            />
          </div>
        ))}
      </div>
      {choice.isError && (
        <p role="alert" className="pb-2 text-label text-danger">
          {getErrorMessage(choice.error).text}
        </p>
      )}
    </fieldset>
  )
}
