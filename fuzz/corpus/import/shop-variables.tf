variable "location" {
  type    = string
  default = "westeurope"
}

variable "prefix" {
  type        = string
  description = "In front of every public name"
}

variable "sql_password" {
  type      = string
  sensitive = true
}
