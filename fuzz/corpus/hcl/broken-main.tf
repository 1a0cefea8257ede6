resource "azurerm_resource_group" "good" {
  name     = "rg-good"
  location = "westeurope"
}

resource "azurerm_virtual_network" "torn" {
  name                = "vnet-torn"
  resource_group_name = azurerm_resource_group.good.name
  location            = azurerm_resource_group.good.location
  address_space       = ["10.0.0.0/16"

resource "azurerm_storage_account" "after" {
  name                     = "stafter01"
  resource_group_name      = azurerm_resource_group.good.name
  location                 = azurerm_resource_group.good.location
  account_tier             = "Standard"
  account_replication_type = "LRS"
  min_tls_version          = "TLS1_2
}
