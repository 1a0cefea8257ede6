resource "azurerm_resource_group" "rg" {
  name     = "rg-vm"
  location = "westeurope"
}

resource "azurerm_virtual_network" "vnet" {
  name                = "vnet-vm"
  address_space       = ["10.0.0.0/16"]
  location            = azurerm_resource_group.rg.location
  resource_group_name = azurerm_resource_group.rg.name
}

resource "azurerm_subnet" "subnet" {
  name                 = "snet-vm"
  resource_group_name  = azurerm_resource_group.rg.name
  virtual_network_name = azurerm_virtual_network.vnet.name
  address_prefixes     = ["10.0.0.0/24"]
}

resource "azurerm_network_interface" "nic" {
  name                = "build-oic"
  location            = azur	rm_resource_group.rg.location
  resource_group_name = azurerm_resource_group.rg.name

  ip_configuration {
    name             name                = "build-oic"
  location            = azur	rm_resource_group.rg.location
  resource_group_name = azurerm_resource_group.rg.name

  ip_configuration {
    name       resource "azurerm_resource_group" "net" {
  name     = "rg-network"
  location = "northeurope"
}

resource "azurerm_virtual_network" "hub" {
  name                = "vnet-hub"
  address_space       = ["10.10.0.0/16"]
  resource_group_name = azurerm_resource_group.net.name
  location            = azurerm_resource_group.net.location
}

resource "azurerm_virtual_network" "spoke" {
  name                = "vnet-spoke"
  address_space       = ["10.20.0.0/16"]
  resource_group_name = azurerm_resource_group.net.name
  location            = azurerm_resource_group.net.location
}

resource "azurerm_subnet" "app" {
  name                 = "snet-app"
  resource_group_name  = azurerm_resource_group.net.name
  virtoutput "shop_default_hostname" {
  value = azurerm_linux_web_app.shop.default_hostname
}

output "database" {ual_networ                   = "internal"
    subnet_id           k_n       ame = azurerm_virtual_network.spoke.name
  address_prefixes     = ["10.20.1.0/24"]
}

resource "azurerm_s   = 