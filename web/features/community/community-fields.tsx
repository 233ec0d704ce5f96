/** Shared by set-up and settings, which supply the texts. */

import type { RegistrationMode } from '#contract/community/community.ts'
import {
  maxApplicationQuestionLength,
  maxCommunityContactLength,
  maxCommunityNameLength,
} from '#contract/community/community-limits.ts'
import { LabelledFormField, TextInput } from '#web/forms/labelled-form-field.tsx'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { TextArea } from '#web/forms/text-area.tsx'

export type RegistrationWords = Record<RegistrationMode, { label: string; text: string }>

type RegistrationProps = {
  legend: string
  words: RegistrationWords
  chosen: RegistrationMode
  disabled?: boolean
  onChoose: (registration: RegistrationMode) => void
}

export function RegistrationChoice({ legend, words, chosen, disabled, onChoose }: RegistrationProps) {
  return (
    <fieldset>
      <legend className="mb-[7px] text-label font-[620]">{legend}</legend>
      <div className="card divide-y divide-border px-4 py-1.5 md:px-5">
        {(['invite', 'approval', 'open', 'closed'] as const).map((registration) => (
          <RadioOption
            key={registration}
            name="registration"
            {...words[registration]}
            checked={registration === chosen}
            disabled={disabled}
            onChoose={() => onChoose(registration)}
          />
        ))}
      </div>
    </fieldset>
  )
}

type TextProps = { label: string; hint?: string; value: string; onChange: (value: string) => void }

export function CommunityNameField({ label, value, onChange }: TextProps) {
  return (
    <LabelledFormField label={label}>
      {(control) => (
        <TextInput
          {...control}
          name="community"
          maxLength={maxCommunityNameLength}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </LabelledFormField>
  )
}

export function ApplicationQuestionField({
  label,
  hint,
  value,
  placeholder,
  onChange,
}: TextProps & { placeholder: string }) {
  return (
    <LabelledFormField label={label} hint={hint}>
      {(control) => (
        <TextArea
          {...control}
          rows={3}
          maxLength={maxApplicationQuestionLength}
          placeholder={placeholder}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </LabelledFormField>
  )
}

export function HouseRulesField({ label, hint, value, onChange }: TextProps) {
  return (
    <LabelledFormField label={label} hint={hint}>
      {(control) => (
        <TextArea {...control} rows={6} value={value} onChange={({ target }) => onChange(target.value)} />
      )}
    </LabelledFormField>
  )
}

export function CommunityContactField({
  label,
  hint,
  value,
  disabled,
  onChange,
}: TextProps & { disabled?: boolean }) {
  return (
    <LabelledFormField label={label} hint={hint}>
      {(control) => (
        <TextInput
          {...control}
          maxLength={maxCommunityContactLength}
          disabled={disabled}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </LabelledFormField>
  )
}

/** "One\n\nTwo " → ["One", "Two"] */
export const splitHouseRules = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
