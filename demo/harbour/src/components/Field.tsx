import { forwardRef, useId } from 'react';

interface FieldProps {
  label: string;
  placeholder?: string;
  maxLength?: number;
}

export const Field = forwardRef<HTMLInputElement, FieldProps>(function Field(
  { label, placeholder, maxLength },
  ref,
) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} ref={ref} placeholder={placeholder} maxLength={maxLength} />
    </div>
  );
});
