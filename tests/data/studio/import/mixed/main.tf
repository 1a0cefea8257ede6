module "registry" {
  source = "./registry"
  name   = local.registry_name
}

locals {
  registry_name = "cr${var.suffix}"
  unused        = 3
}

variable "suffix" {
  type = string
}

variable "plain" {
  default = "only here"
}

data "azurerm_client_config" "current" {}

data "azurerm_resource_group" "shared" {
  name = "rg-shared"
}

# Stands in a group that is not ours.
resource "azurerm_storage_account" "shared" {
  name                     = "stshared01"
  resource_group_name      = data.azurerm_resource_group.shared.name
  location                 = data.azurerm_resource_group.shared.location
  account_tier             = "Standard"
  account_replication_type = "LRS"
}

resource "random_id" "suffix" {
  byte_length = 4
}

resource "azurerm_resource_group" "main" {
  name     = "rg-mixed"
  location = "westeurope"
}

resource "azurerm_key_vault" "main_vault_of_this_and_of_all_the_other_teams_that_share_the_group" {
  name                       = "kv-mixed-01"
  resource_group_name        = azurerm_resource_group.main.name
  location                   = azurerm_resource_group.main.location
  sku_name                   = "standard"
  tenant_id                  = data.azurerm_client_config.current.tenant_id
  rbac_authorization_enabled = true
  purge_protection_enabled   = false
  soft_delete_retention_days = 90
}

resource "azurerm_dashboard_grafana" "main" {
  name                = "grafana"
  resource_group_name = azurerm_resource_group.main.name
  location            = azurerm_resource_group.main.location
  vault               = azurerm_key_vault.main_vault_of_this_and_of_all_the_other_teams_that_share_the_group.vault_uri
}

moved {
  from = azurerm_key_vault.old
  to   = azurerm_key_vault.main_vault_of_this_and_of_all_the_other_teams_that_share_the_group
}

check "health" {
  assert {
    condition     = true
    error_message = "never"
  }
}
