import { useId } from 'react'
import { es } from '#contract/language.ts'
import { Checkbox } from '#web/forms/checkbox.tsx'
import { screenPaths } from '#web/paths.ts'

type Props = { checked: boolean; missing: boolean; onChange: (checked: boolean) => void }

export function HouseRulesCheckbox({ checked, missing, onChange }: Props) {
  const id = useId()
  return (
    <div>
      <div className="flex min-h-11 items-center gap-3">
        <Checkbox
          id={id}
          checked={checked}
          aria-invalid={missing || undefined}
          aria-describedby={missing ? `${id}-error` : undefined}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span className="font-[620]">
          <label htmlFor={id}>{es('He leído las', 'I have read the')}</label>{' '}
          <a
            href={screenPaths.houseRules()}
            target="_blank"
            rel="noreferrer"
            className="inline-block py-2 text-brand-text underline underline-offset-4"
          >
            {es('normas de la casa', 'house rules')}
          </a>
        </span>
      </div>
      {missing && (
        <p id={`${id}-error`} className="text-label font-[550] text-danger">
          {es('Lee las normas de la casa antes de entrar.', 'Read the house rules before you join.')}
        </p>
      )}
    </div>
  )
}
